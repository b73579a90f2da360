import type { Occupied } from './use-occupied.ts'

/** Says who writes in a text, and lets the person write, too. */
export function OccupiedStrip({ occupied: { names, isOne, join } }: { occupied: Occupied }) {
  if (names === null) return null
  return (
    <div className="strip">
      <p role="status">
        <b>{`${names} ${isOne ? 'is' : 'are'} writing here.`}</b> You see the words as they are saved.
      </p>
      <button type="button" className="plain" onClick={join}>
        Write too
      </button>
    </div>
  )
}
