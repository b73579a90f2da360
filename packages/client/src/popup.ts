import { ownFailure, refusal } from './membership-error.ts'
import { isRecord, isReply } from './wire-reading.ts'

const width = 600
const height = 700
const lookMs = 500

/**
 * Opens an address of the API in a window in the middle of the page's own, and waits for what it posts back. Only a
 * message of that window, from the API's own origin, is listened to. Has to be called while a click is handled.
 * @throws {MembershipError} what the window reports, or `popup-blocked`, `popup-closed` or `popup-timeout`
 */
export function askPopup<Data>(address: URL, timeoutMs: number): Promise<Data> {
  const popup = window.open(address.href, '_blank', featuresOf(window))
  if (popup === null) return Promise.reject(ownFailure('popup-blocked'))

  return new Promise<Data>((resolve, reject) => {
    let wasClosed = false

    const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== address.origin || source !== popup) return
      if (isRecord(data) && data.error) settle(() => reject(refusal(data.error)))
      else if (isReply<Data>(data)) settle(() => resolve(data.data))
    }

    // The window closes right after it has posted: its message may still be on the way at the first look.
    const look = () => {
      if (wasClosed) settle(() => reject(ownFailure('popup-closed')))
      wasClosed = popup.closed
    }

    const giveUp = () => {
      popup.close()
      settle(() => reject(ownFailure('popup-timeout')))
    }

    const settle = (act: () => void) => {
      window.removeEventListener('message', hear)
      clearInterval(looking)
      clearTimeout(patience)
      act()
    }

    window.addEventListener('message', hear)
    const looking = setInterval(look, lookMs)
    const patience = setTimeout(giveUp, timeoutMs)
  })
}

function featuresOf({ screenX, screenY, outerWidth, outerHeight }: Window): string {
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
