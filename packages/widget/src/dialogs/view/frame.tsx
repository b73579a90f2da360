/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CloseIcon } from '../parts/icons.tsx'
import { holdPage } from './page.ts'

export type FrameProps = {
  /** The id of the modal, by which pages style it. */
  id: string
  label: string
  language: string
  isWide: boolean
  /** Whether parts that the page appends stay usable, above the dialog. */
  isBelowPage?: boolean | undefined
  isBusy?: boolean | undefined
  /** The text of the close button, undefined to hide it. */
  closeText: string | undefined
  colors?: Record<string, string> | undefined
  onClose: () => void
  footer?: ComponentChildren
  children: ComponentChildren
}

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), iframe, [tabindex="0"]'

/** The overlay with the modal. It keeps the focus, and closes on Escape and a click on the overlay. */
export function Frame({ id, label, isWide, isBelowPage = false, onClose, ...props }: FrameProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const wasPressedOutside = useRef(false)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    // The page's direction, for the rules about what points somewhere.
    dialog.dir = getComputedStyle(dialog).direction
    if (!isBelowPage) {
      dialog.showModal()
      return () => dialog.close()
    }
    dialog.show()
    const root = dialog.getRootNode()
    const release = root instanceof ShadowRoot ? holdPage(root.host) : () => undefined
    document.addEventListener('keydown', onPageKeyDown)
    return () => {
      document.removeEventListener('keydown', onPageKeyDown)
      dialog.close()
      release()
    }
  }, [isBelowPage])

  // NOTE: an effect after the paint would take the focus back from a reader who has pressed Tab before it.
  useLayoutEffect(() => {
    const dialog = ref.current
    const target = ['[data-autofocus=true]', '.section h2', 'h2']
      .map((selector) => dialog?.querySelector(selector))
      .find((element) => element instanceof HTMLElement)
    target?.focus()
  }, [id, label])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
    if (event.key === 'Tab') keepFocus(event, ref.current)
  }

  /** A challenge that disappears takes the focus with it. */
  function onPageKeyDown(event: KeyboardEvent): void {
    if (event.target === document.body) onKeyDown(event)
  }

  return (
    <dialog
      ref={ref}
      id="msOverlay"
      part="msOverlay"
      class={isBelowPage ? 'below-page' : undefined}
      lang={props.language}
      aria-label={label}
      aria-modal="true"
      style={props.colors}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.open && currentTarget.isConnected) onClose()
      }}
      onKeyDown={onKeyDown}
      onPointerDown={({ target, currentTarget }) => {
        wasPressedOutside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        // A text selection that ends on the overlay is no click on it.
        if (target === currentTarget && wasPressedOutside.current) onClose()
      }}
    >
      <div class={isWide ? 'modal wide' : 'modal'} id={id} part={id} aria-busy={props.isBusy}>
        {props.children}
        {props.footer}
        {props.closeText !== undefined && (
          <button type="button" class="icon close" aria-label={props.closeText} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
    </dialog>
  )
}

/** Moves the focus from the last element to the first one, and back. */
function keepFocus(event: KeyboardEvent, dialog: HTMLDialogElement | null): void {
  const elements = [...(dialog?.querySelectorAll<HTMLElement>(focusable) ?? [])].filter(
    (element) => element.getClientRects().length > 0 && element.tabIndex >= 0,
  )
  const root = dialog?.getRootNode()
  const focused = root instanceof ShadowRoot ? root.activeElement : null
  const [first] = elements
  const last = elements.at(-1)
  const isFirst = focused === first || !elements.some((element) => element === focused)
  if (event.shiftKey ? !isFirst : focused !== last) return
  const target = event.shiftKey ? last : first
  if (target === undefined) return
  event.preventDefault()
  target.focus()
}
