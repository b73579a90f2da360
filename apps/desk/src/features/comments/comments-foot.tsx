import type { Decided } from './comment-calls.ts'

type Props = { done: Decided | null; onUndo: (() => void) | undefined; mayDecide: boolean }

/** Says what was decided last, how to undo it, and which keys there are. */
export function CommentsFoot({ done, onUndo, mayDecide }: Props) {
  return (
    <div className="comments-foot">
      <p role="status">
        {done !== null && <span>{done.text}</span>}
        {onUndo !== undefined && (
          <button type="button" className="plain" onClick={onUndo}>
            Undo
          </button>
        )}
      </p>
      <p className="meta comments-keys">
        <kbd>J</kbd> <kbd>K</kbd> next, previous
        {mayDecide && (
          <>
            <kbd>X</kbd> choose <kbd>H</kbd> hide <kbd>E</kbd> keep
          </>
        )}
      </p>
    </div>
  )
}
