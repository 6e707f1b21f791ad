import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'

interface TreeNode {
  type: string
  children?: TreeNode[]
}

/** Shows HTML in a model's answer as text, so that it cannot act on the page. */
function keepRawAsText() {
  return (tree: TreeNode): void => {
    const visit = (node: TreeNode): void => {
      if (node.type === 'raw') node.type = 'text'
      for (const child of node.children ?? []) visit(child)
    }
    visit(tree)
  }
}

/** Images are removed: fetching one would tell its host that the answer was read. */
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img' && name !== 'input'),
}

function InertLink({ children, href }: { children?: ReactNode; href?: string | undefined }) {
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
        components={{ a: InertLink }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
