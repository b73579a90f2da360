import { Link, useRouter } from '@tanstack/react-router'
import { Notice } from '../components/notice.tsx'
import { Screen } from '../components/screen.tsx'
import { NetworkError } from '../lib/api/api-client.ts'
import { ChunkLoadError } from '../lib/browser/chunk.ts'
import { offlineText } from '../lib/browser/connection.ts'
import { useServices } from '../lib/services/services.tsx'

/** Replaces a screen that failed, and offers to reload or try again. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { config, reloadPage } = useServices()
  const router = useRouter()
  return (
    <Screen title={config.siteName} className="entrance">
      <h1>{config.siteName}</h1>
      {error instanceof ChunkLoadError ? (
        <Notice text={error.message}>
          <button type="button" className="link" onClick={reloadPage}>
            Reload the page
          </button>
        </Notice>
      ) : (
        <Notice text={error instanceof NetworkError ? offlineText : 'We couldn’t load this page.'}>
          <button type="button" className="link" onClick={() => void router.invalidate()}>
            Try again
          </button>
        </Notice>
      )}
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}
