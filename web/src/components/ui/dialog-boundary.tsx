import { Component, type ReactNode } from 'react'

interface DialogBoundaryProps {
  open: boolean
  /** Replaces the dialog from a crash until it is opened again. */
  crash: (openedAt: number) => ReactNode
  children: ReactNode
}

interface DialogBoundaryState {
  open: boolean
  openedAt: number
  crashed: boolean
}

/** Keeps a crash inside its dialog: the page stays. */
export class DialogBoundary extends Component<DialogBoundaryProps, DialogBoundaryState> {
  override state: DialogBoundaryState = { open: false, openedAt: 0, crashed: false }

  static getDerivedStateFromError(): Partial<DialogBoundaryState> {
    return { crashed: true }
  }

  static getDerivedStateFromProps(
    { open }: DialogBoundaryProps,
    before: DialogBoundaryState,
  ): DialogBoundaryState | null {
    if (open === before.open) return null
    return open ? { open, openedAt: Date.now(), crashed: false } : { ...before, open }
  }

  override render(): ReactNode {
    const { crash, children } = this.props
    return this.state.crashed ? crash(this.state.openedAt) : children
  }
}
