import { createStore, useStore } from '@/lib/store'

export interface Toast {
  id: number
  title: string
  description?: string
  variant: 'default' | 'destructive'
  link?: ToastLink
  action?: { text: string; onPress: () => void }
  /** Until the user closes it. */
  stays?: boolean
}

export interface ToastLink {
  to: '/my-opens'
  text: string
}

/** The visible toast. A new one replaces it. */
const current = createStore<Toast | null>(null)
let lastId = 0

export function toast(message: Omit<Toast, 'id' | 'variant'> & { variant?: Toast['variant'] }): void {
  lastId += 1
  current.set({ variant: 'default', ...message, id: lastId })
}

export function dismissToast(): void {
  current.set(null)
}

export function useToast(): Toast | null {
  return useStore(current)
}
