import { messages } from '@tidings/contracts/membership/messages'

const rows = ['long', 'middle', 'long', 'short', 'middle', 'long'] as const

/** The placeholder of a loading list: rules and gray lines, with 'Loading...' for screen readers. */
export function LoadingSkeleton() {
  return (
    <div className="loading-skeleton">
      <p role="status">{messages.loading}</p>
      <div aria-hidden="true">
        {rows.map((length, index) => (
          <div key={index} className="loading-row" data-length={length} />
        ))}
      </div>
    </div>
  )
}
