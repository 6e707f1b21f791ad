import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'

interface TreeNode {
  type: string
  children?: TreeNode[]
}

/** HTML in a model's answer is what it said, not what the page should do: it stays text. */
function keepRawAsText() {
  return (tree: TreeNode): void => {
    const visit = (node: TreeNode): void => {
      if (node.type === 'raw') node.type = 'text'
      for (const child of node.children ?? []) visit(child)
    }
    visit(tree)
  }
}

/** Links open nowhere by themselves; a picture shows its address instead of being fetched. */
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img' && name !== 'input'),
}

function ShownLink({ children, href }: { children?: ReactNode; href?: string | undefined }) {
  return (
    <span className="underline decoration-dotted" title={href}>
      {children}
    </span>
  )
}

export function RenderedMarkdown({ text }: { text: string }) {
  return (
    <div className="markdown break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[keepRawAsText, [rehypeSanitize, schema]]}
        components={{ a: ShownLink }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
