import { useRouter } from '@tanstack/react-router'
import { PlainWord } from '../components/plain-word.tsx'
import { Screen } from '../components/screen.tsx'
import { UnreachableError } from '../lib/api-client.ts'
import { ChunkLoadError } from '../lib/chunk.ts'
import { useSurroundings } from '../lib/surroundings.tsx'

/** What stands in place of a screen that could not be shown, and the way on. */
export function FailedScreen({ error }: { error: unknown }) {
  const { config, reloadPage } = useSurroundings()
  const router = useRouter()
  return (
    <Screen title={config.siteName} className="entrance">
      <h1>{config.siteName}</h1>
      {error instanceof ChunkLoadError ? (
        <PlainWord sentence={error.message}>
          <button type="button" className="link" onClick={reloadPage}>
            Reload the page
          </button>
        </PlainWord>
      ) : (
        <PlainWord
          sentence={
            error instanceof UnreachableError
              ? 'You seem to be offline: there is no answer from here.'
              : 'This page could not be shown.'
          }
        >
          <button type="button" className="link" onClick={() => void router.invalidate()}>
            Try again
          </button>
        </PlainWord>
      )}
    </Screen>
  )
}
