import type { PushDevice } from '@tidings/contracts/membership/push'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'

type DeviceListProps = {
  devices: readonly PushDevice[]
  /** The id of this browser; null while it is off. */
  thisId: string | null
  isBusy: boolean
  onRemove: (id: string) => void
}

/** The browsers that are notified: this one first. */
export function DeviceList({ devices, thisId, isBusy, onRemove }: DeviceListProps) {
  const { clock } = useServices()
  if (devices.length === 0) return null
  const isThis = ({ id }: PushDevice) => id === thisId
  const sorted = [...devices.filter(isThis), ...devices.filter((device) => !isThis(device))]
  return (
    <ul className="account-rows" aria-label="Notified browsers">
      {sorted.map((device) => (
        <li key={device.id}>
          <div>
            <p>{device.name}</p>
            <p className="account-detail">
              {isThis(device) ? 'This browser' : lastNotified(device, clock.now())}
            </p>
          </div>
          <button
            type="button"
            className="link"
            aria-label={isThis(device) ? 'Turn off notifications in this browser' : `Remove ${device.name}`}
            aria-disabled={isBusy}
            onClick={() => onRemove(device.id)}
          >
            {isThis(device) ? 'Turn off' : 'Remove'}
          </button>
        </li>
      ))}
    </ul>
  )
}

function lastNotified({ addedAt, lastNotifiedAt }: PushDevice, now: Date): string {
  const today = localDate(now)
  const day = formatDay(localDate(new Date(lastNotifiedAt ?? addedAt)), today)
  const when = day === formatDay(today, today) ? 'today' : day
  return lastNotifiedAt === null ? `Added ${when}` : `Last notified ${when}`
}
