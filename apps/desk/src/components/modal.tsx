import { type ReactNode, useEffect, useId, useRef } from 'react'

/** A dialog over the screen. Esc closes it. */
export function Modal({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} className="modal" onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
