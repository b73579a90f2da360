/** The quiet line at the top that offers what is new. */
export function NewMemoButton({ text = 'New memo', onShow }: { text?: string; onShow: () => void }) {
  return (
    <button type="button" className="new-memo-button" onClick={onShow}>
      {text}
    </button>
  )
}
