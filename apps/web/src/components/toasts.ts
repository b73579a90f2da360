import { limits } from '@tidings/contracts/limits'

export type ToastKind = keyof typeof limits.toastMs

/** A short message at the top. It becomes invisible first and is removed a second later. */
export type Toast = {
  id: number
  kind: ToastKind
  text: string
  isVisible: boolean
  /** How often it was shown: identical toasts merge. */
  times: number
}

export type ToastEvent =
  | { type: 'shown'; id: number; kind: ToastKind; text: string }
  | { type: 'dismissed'; id: number }
  | { type: 'removed'; id: number }

/** Returns the next list of toasts: newest first, at most 20. A toast like one that is shown starts that one again. */
export function toastsReducer(toasts: readonly Toast[], event: ToastEvent): readonly Toast[] {
  switch (event.type) {
    case 'shown': {
      const { id, kind, text } = event
      const toast = { id, kind, text, isVisible: true, times: 1 }
      // A known id changes its toast in place: a loading toast becomes a success or an error.
      if (toasts.some(({ id }) => id === event.id)) {
        return toasts.map((other) => (other.id === event.id ? toast : other))
      }
      // A loading toast belongs to its own action, which changes or dismisses it.
      const same = toasts.find((other) => other.kind === kind && other.text === text)
      if (same !== undefined && kind !== 'loading') {
        const repeated = { ...same, isVisible: true, times: same.times + 1 }
        return toasts.map((other) => (other === same ? repeated : other))
      }
      return [toast, ...toasts].slice(0, limits.toastsKept)
    }
    case 'dismissed':
      return toasts.map((toast) => (toast.id === event.id ? { ...toast, isVisible: false } : toast))
    case 'removed':
      return toasts.filter((toast) => toast.id !== event.id)
  }
}
