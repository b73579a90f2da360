import { messages } from '@tidings/contracts/messages'

const rows = ['long', 'middle', 'long', 'short', 'middle', 'long'] as const

/** What stands where a list is awaited: rules and grey lines, and 'Loading...' for whoever listens. */
export function LoadingShape() {
  return (
    <div className="loading-shape">
      <p role="status">{messages.loading}</p>
      <div aria-hidden="true">
        {rows.map((length, index) => (
          <div key={index} className="loading-row" data-length={length} />
        ))}
      </div>
    </div>
  )
}
