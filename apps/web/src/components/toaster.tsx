import { limits } from '@tidings/contracts/limits'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
} from 'react'
import { type Toast, type ToastKind, toastsReducer } from './toasts.ts'

/** Shows and dismisses toasts. `show` returns the toast's id; with an id, it changes that toast. */
export type Toasts = {
  show: (kind: ToastKind, text: string, id?: number) => number
  dismiss: (id: number) => void
}

const ToastsContext = createContext<Toasts | null>(null)

/** Lets every component inside show toasts, which appear at the top center. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(toastsReducer, [])
  const lastId = useRef(0)
  const actions = useMemo<Toasts>(
    () => ({
      show(kind, text, id) {
        if (id === undefined) lastId.current += 1
        const shownId = id ?? lastId.current
        dispatch({ type: 'shown', id: shownId, kind, text })
        return shownId
      },
      dismiss: (id) => dispatch({ type: 'dismissed', id }),
    }),
    [],
  )
  return (
    <ToastsContext value={actions}>
      <section className="toaster" aria-label="Messages">
        {toasts.map((toast) => (
          <ToastLine
            key={toast.id}
            toast={toast}
            onDismissed={() => dispatch({ type: 'dismissed', id: toast.id })}
            onRemoved={() => dispatch({ type: 'removed', id: toast.id })}
          />
        ))}
      </section>
      {children}
    </ToastsContext>
  )
}

/**
 * Returns the actions that show and dismiss toasts.
 * @throws {Error} outside of a `ToastProvider`
 */
export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (toasts === null) throw new Error('useToasts is called outside of a ToastProvider')
  return toasts
}

type ToastLineProps = { toast: Toast; onDismissed: () => void; onRemoved: () => void }

function ToastLine({ toast, onDismissed, onRemoved }: ToastLineProps) {
  const { kind, text, isVisible, times } = toast
  const dismissed = useEffectEvent(onDismissed)
  const removed = useEffectEvent(onRemoved)
  // A changed text or kind, and an identical toast, restart the timer.
  useEffect(() => {
    const shownMs = isVisible ? limits.toastMs[kind] : limits.toastRemovalMs
    if (shownMs === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => (isVisible ? dismissed() : removed()), shownMs)
    return () => clearTimeout(timer)
  }, [kind, text, isVisible, times])
  return (
    <p
      className="toast"
      data-kind={kind}
      data-visible={isVisible}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      {text}
    </p>
  )
}
