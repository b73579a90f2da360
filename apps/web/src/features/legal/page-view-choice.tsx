import { useServices } from '#lib/services/services.tsx'
import { removeTagCookies, saveConsent, useConsent } from '#lib/tag-manager.ts'

/** Says whether page views are counted on this device, and lets the reader change their answer. */
export function PageViewChoice() {
  const { config, deviceStore, reloadPage } = useServices()
  const consent = useConsent(deviceStore)
  if (config.tagManagerId === '' || consent === null) return null
  function withdraw() {
    saveConsent(deviceStore, 'refused')
    removeTagCookies(document)
    // Nothing else stops a tag that runs.
    reloadPage()
  }
  return consent === 'given' ? (
    <p>
      You agreed to it on this device.{' '}
      <button type="button" className="link" onClick={withdraw}>
        Stop counting
      </button>
    </p>
  ) : (
    <p>
      Page views on this device aren’t counted.{' '}
      <button type="button" className="link" onClick={() => saveConsent(deviceStore, 'given')}>
        Count them
      </button>
    </p>
  )
}
