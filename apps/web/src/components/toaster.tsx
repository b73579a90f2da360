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

/** Shows and takes back toasts. `show` answers the toast's id; given an id, it changes that toast. */
export type Toasts = {
  show: (kind: ToastKind, text: string, id?: number) => number
  dismiss: (id: number) => void
}

const ToastsContext = createContext<Toasts | null>(null)

/** Gives everything inside the means to show toasts, and shows them above it, at the top in the middle. */
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
      <section className="toaster" aria-label="Notices">
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
 * The means to show toasts.
 * @throws {Error} outside of a `ToastProvider`
 */
export function useToasts(): Toasts {
  const toasts = use(ToastsContext)
  if (toasts === null) throw new Error('A ToastProvider is missing around this part')
  return toasts
}

type ToastLineProps = { toast: Toast; onDismissed: () => void; onRemoved: () => void }

function ToastLine({ toast, onDismissed, onRemoved }: ToastLineProps) {
  const { kind, text, isVisible } = toast
  const dismissed = useEffectEvent(onDismissed)
  const removed = useEffectEvent(onRemoved)
  // A changed text or kind begins the time anew.
  useEffect(() => {
    const shownMs = isVisible ? limits.toastMs[kind] : limits.toastRemovalMs
    if (shownMs === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => (isVisible ? dismissed() : removed()), shownMs)
    return () => clearTimeout(timer)
  }, [kind, text, isVisible])
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
