import { formatIsoDate } from '@tidings/contracts/edition-key'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { addDays, dayIn } from '#lib/time/zoned-time.ts'
import { type NumbersSearch, usualDays } from './numbers-calls.ts'

type Props = { search: NumbersSearch; onSearch: (search: NumbersSearch) => void }

/** Chooses the first and the last day of the numbers. */
export function DatesForm({ search, onSearch }: Props) {
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  const from = search.from ?? formatIsoDate(addDays(today, 1 - (search.days ?? usualDays)))
  const to = search.to ?? formatIsoDate(today)
  return (
    <form
      className="numbers-dates"
      onSubmit={(event) => {
        event.preventDefault()
        const given = new FormData(event.currentTarget)
        const [first, last] = [String(given.get('from')), String(given.get('to'))].toSorted()
        if (first !== undefined && last !== undefined) onSearch({ from: first, to: last })
      }}
    >
      <label>
        From
        <input type="date" name="from" required min="2000-01-01" max="2099-12-31" defaultValue={from} />
      </label>
      <label>
        to
        <input type="date" name="to" required min="2000-01-01" max="2099-12-31" defaultValue={to} />
      </label>
      <button type="submit">Show</button>
      <p className="meta">At most 400 days.</p>
    </form>
  )
}
