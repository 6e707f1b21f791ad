import { Component, type ReactNode } from 'react'
import { Button } from './ui/Button.tsx'
import { FailureNotice } from './ui/Notice.tsx'

/** Keeps an error in one screen from taking down the whole app, and shows it. */
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
          title="Something went wrong on this screen. Your data is safe on the server."
          failure={this.state.failure}
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        />
      </div>
    )
  }
}
