/** @jsxImportSource preact */
import { CloseIcon } from '../parts/icons.tsx'
import { useDialog } from '../state/dialog-context.ts'

/** The message of the last call, which screen readers announce. */
export function Messages() {
  const { message: read, hideMessage, t } = useDialog()
  const message = read()
  const shown = message && (
    <div class={message.isError ? 'message failed' : 'message'} key={message.id}>
      <span dir="auto">{message.text}</span>
      <button type="button" class="icon" aria-label={t('dismiss_message')} onClick={hideMessage}>
        <CloseIcon />
      </button>
    </div>
  )
  return (
    <div class="messages">
      <div role="status">{!message?.isError && shown}</div>
      <div role="alert">{message?.isError && shown}</div>
    </div>
  )
}
