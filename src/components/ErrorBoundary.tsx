import { Component, type ReactNode } from 'react'
import { Button } from './ui/Button.tsx'
import { FailureNotice } from './ui/Notice.tsx'

/** A screen that breaks takes nothing else down, and says what happened. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failure?: unknown }> {
  override state: { failure?: unknown } = {}

  static getDerivedStateFromError(failure: unknown) {
    return { failure }
  }

  override render() {
    if (this.state.failure === undefined) return this.props.children
    return (
      <div className="p-6">
        <FailureNotice
          title="This screen broke. Your data is safe: it is kept by the server."
          failure={this.state.failure}
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        />
      </div>
    )
  }
}
