import { isAppleMobile } from '#lib/notifications/browser-push.ts'
import { useServices } from '#lib/services/services.tsx'
import type { BrowserState } from './notifications.ts'

/** Says what this browser is notified of, or what it needs first. */
export function BrowserNote({ browser }: { browser: BrowserState }) {
  const { siteName } = useServices().config
  switch (browser) {
    case 'on':
      return <p>This browser shows a quiet notification of each new edition.</p>
    case 'off':
      return <p>A quiet notification of each new edition, with the title of its first memo. No sound.</p>
    case 'unsupported':
      return <p>This browser can’t show notifications. Log in with another one to get them there.</p>
    case 'denied':
      return <p>{deniedText(siteName)}</p>
    case 'needs-install':
      return (
        <>
          <p>Add {siteName} to your home screen first. iPhone and iPad show notifications only from there.</p>
          <ol className="account-steps">
            <li>Tap Share in your browser.</li>
            <li>Choose “Add to Home Screen”.</li>
            <li>Open {siteName} from your home screen, log in, and come back here.</li>
          </ol>
        </>
      )
  }
}

function deniedText(siteName: string): string {
  const how = isAppleMobile()
    ? `Open the Settings app, then Notifications, then ${siteName}, and allow them.`
    : 'Select the icon beside the address, and allow them for this site.'
  return `Notifications are blocked in this browser. ${how} Then come back here.`
}
