import type { Occupied } from './use-occupied.ts'

/** Says who writes in a memo, and lets the person write, too. */
export function OccupiedStrip({ occupied: { names, isOne, join } }: { occupied: Occupied }) {
  if (names === null) return null
  return (
    <div className="edition-strip">
      <p role="status">
        <b>{`${names} ${isOne ? 'is' : 'are'} writing here.`}</b> You see the words as they are saved.
      </p>
      <button type="button" className="edition-word" onClick={join}>
        Write too
      </button>
    </div>
  )
}
