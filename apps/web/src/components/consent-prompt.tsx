type ConsentPromptProps = { onAccept: () => void; onDecline: () => void }

/** Asks whether page views may be counted. */
export function ConsentPrompt({ onAccept, onDecline }: ConsentPromptProps) {
  return (
    <section className="consent-prompt" aria-label="Page view counting">
      <p>May we count page views?</p>
      <div className="consent-answers">
        <button type="button" onClick={onAccept}>
          Yes
        </button>
        <button type="button" onClick={onDecline}>
          No
        </button>
      </div>
    </section>
  )
}
