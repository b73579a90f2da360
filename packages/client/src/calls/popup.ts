import { clientError, serverError } from '../wire/membership-error.ts'
import { isRecord, isReply } from '../wire/wire-reading.ts'

const width = 600
const height = 700
const pollMs = 500

/**
 * Opens an address of the API in a centered window and returns the message that it posts. Messages of other windows and
 * origins are ignored. Call it in a click handler.
 * @throws {MembershipError} the error of the window, or `popup-blocked`, `popup-closed` or `popup-timeout`
 */
export function openPopup<Data>(address: URL, timeoutMs: number): Promise<Data> {
  const popup = window.open(address.href, '_blank', featuresOf(window))
  if (popup === null) return Promise.reject(clientError('popup-blocked'))

  return new Promise<Data>((resolve, reject) => {
    let wasClosed = false

    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== address.origin || source !== popup) return
      if (isRecord(data) && data.error) settle(() => reject(serverError(data.error)))
      else if (isReply<Data>(data)) settle(() => resolve(data.data))
    }

    // The window closes right after it posts, so the message may arrive after the first check.
    const checkClosed = () => {
      if (wasClosed) settle(() => reject(clientError('popup-closed')))
      wasClosed = popup.closed
    }

    const onTimeout = () => {
      popup.close()
      settle(() => reject(clientError('popup-timeout')))
    }

    const settle = (finish: () => void) => {
      window.removeEventListener('message', onMessage)
      clearInterval(pollTimer)
      clearTimeout(timeoutTimer)
      finish()
    }

    window.addEventListener('message', onMessage)
    const pollTimer = setInterval(checkClosed, pollMs)
    const timeoutTimer = setTimeout(onTimeout, timeoutMs)
  })
}

function featuresOf({ screenX, screenY, outerWidth, outerHeight }: Window): string {
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}
