import type { ReactNode } from 'react'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clocksAt, clockText, dayIn, spanText, twoClocks } from '#lib/time/zoned-time.ts'
import { type Choice, inputTime, instantOf, isSameDay, lastMinuteOf, type Times } from './publish-times.ts'

type Props = { choice: Choice; times: Times; isSent: boolean; onChange: (choice: Choice) => void }

/** Asks when the edition appears, with the clocks of the site and of the editor. */
export function WhenField({ choice, times, isSent, onChange }: Props) {
  const { deliveryDelaySeconds } = useDeskConfig()
  const zones = useZones()
  const now = useNow()
  const isToday = isSameDay(times.day, dayIn(now, zones.site))
  const other = choice.when === 'other' ? instantOf(choice, times) : null
  const [slotThere, slotHere] = clocksAt(times.slot, zones.site, zones.own)
  const option = (when: Choice['when'], text: ReactNode, hint: string) => (
    <label className="publish-option">
      <input
        type="radio"
        name="when"
        checked={choice.when === when}
        onChange={() => onChange({ ...choice, when })}
      />
      <span>{text}</span>
      <span className="publish-hint">{hint}</span>
    </label>
  )
  const until = `until ${clockText(lastMinuteOf(times), zones.site)}`
  const sending = deliveryDelaySeconds === 0 ? 'sent at once' : `sent ${deliveryDelaySeconds} s later`
  return (
    <fieldset className="publish-when">
      <legend>When</legend>
      {option(
        'slot',
        <>
          At {slotThere}
          {slotHere !== null && <span className="publish-hint">, {slotHere}</span>}
        </>,
        distance(times.slot, now),
      )}
      {option('other', isToday ? 'At another time today' : 'At another time that day', until)}
      {choice.when === 'other' && (
        <p className="publish-time">
          <input
            type="time"
            aria-label="Time on the site’s clock"
            value={choice.time}
            max={inputTime(lastMinuteOf(times), zones.site)}
            onChange={({ target }) => onChange({ ...choice, time: target.value })}
          />
          {other !== null && (
            <span className="publish-hint">
              {twoClocks(other, zones.site, zones.own)} · {distance(other, now)}
            </span>
          )}
        </p>
      )}
      {option('now', 'Now', isSent ? `public at once, ${sending}` : 'public at once')}
    </fieldset>
  )
}

function distance(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime()
  return ms > 0 ? `in ${spanText(ms)}` : `${spanText(ms)} ago`
}
