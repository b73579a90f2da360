/** The quiet line at the top while a memo waits to be shown. */
export function NewMemoLine({ onShow }: { onShow: () => void }) {
  return (
    <button type="button" className="new-memo-line" onClick={onShow}>
      New memo
    </button>
  )
}
