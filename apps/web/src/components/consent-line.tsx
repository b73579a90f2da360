type ConsentLineProps = { onGiven: () => void; onRefused: () => void }

/** Asks once, quietly, whether page views may be counted. */
export function ConsentLine({ onGiven, onRefused }: ConsentLineProps) {
  return (
    <section className="consent-line" aria-label="Counting page views">
      <p>May we count which pages are read?</p>
      <button type="button" onClick={onGiven}>
        Yes
      </button>
      <button type="button" onClick={onRefused}>
        No
      </button>
    </section>
  )
}
