/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useDialog } from '../state/dialog-context.ts'

type Props = {
  submit: string
  /** Whether there is something to send. */
  isReady?: boolean
  onSubmit: () => void
  children: ComponentChildren
}

/** A form whose button waits for the call. */
export function Form({ submit, isReady = true, onSubmit, children }: Props) {
  const { t, state } = useDialog()
  const current = state()
  const isIdle = !('phase' in current) || current.phase === 'idle'
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isIdle && isReady) onSubmit()
      }}
    >
      {children}
      {/* aria-disabled keeps the focus on the button during the call. */}
      <button type="submit" class="primary" part="primary" aria-disabled={!isIdle || !isReady}>
        {submit}
        {'phase' in current && current.phase === 'pending' && (
          <span class="spinner" role="img" aria-label={t('loading')} />
        )}
      </button>
    </form>
  )
}

/** A button that looks like a link. */
export function LinkButton({ onClick, children }: { onClick: () => void; children: ComponentChildren }) {
  return (
    <button type="button" class="link" onClick={onClick}>
      {children}
    </button>
  )
}
