/** The quiet button at the top that shows a pending memo. */
export function NewMemoButton({ onShow }: { onShow: () => void }) {
  return (
    <button type="button" className="new-memo-button" onClick={onShow}>
      New memo
    </button>
  )
}
