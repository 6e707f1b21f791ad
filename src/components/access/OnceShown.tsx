import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'

interface OnceShownProps {
  title: string
  secret: string
  /** What the secret is called: `Copied the link.` */
  what: string
  note: string
}

/** A secret that the server does not keep and cannot show again. */
export function OnceShown({ title, secret, what, note }: OnceShownProps) {
  return (
    <Notice
      title={title}
      action={
        <Button
          onClick={() =>
            void navigator.clipboard.writeText(secret).then(
              () => toast(`Copied the ${what}.`),
              () => toast(`The browser does not allow copying; select the ${what} instead.`),
            )
          }
        >
          Copy
        </Button>
      }
    >
      <code className="text-xs break-all">{secret}</code>
      <div className="text-muted">{note}</div>
    </Notice>
  )
}
