import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.tsx'
import { wasGateOpen } from './features/gate/device-pass.ts'
import { memosOfEdition } from './features/news/memos/edition-memos.ts'
import { seedKeptEditions } from './features/news/memos/kept-editions.ts'
import { exposeClient } from './lib/member-session/expose-client.ts'
import { createBrowserServices } from './lib/services/services.tsx'

/** On a fast connection, the fonts and the memos that the shell requested arrive within this time. */
const maxWaitMs = 100

const fonts = loadFonts()
const services = createBrowserServices()
exposeClient(window, services.memberSession)
void start()

/** Starts in several tasks, so the browser can paint and take taps in between. */
async function start(): Promise<void> {
  await pause(0)
  const app = createApp(services)
  const { App } = app
  await pause(0)
  // Until the first screen is ready, the shell's own masthead stays.
  await showKept(app).catch(reportError)
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no element with the id root')
  // A transition renders in short slices.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}

/**
 * Waits a moment for what the first screen is drawn with. A shell from this device carries no lists: what is kept is shown
 * while the network replies.
 */
async function showKept({ router, queryClient }: ReturnType<typeof createApp>): Promise<void> {
  const { earlyReply } = window
  const memos =
    earlyReply && queryClient.prefetchQuery(memosOfEdition(earlyReply.editionKey, services.deviceStore))
  if (services.start === null && wasGateOpen(services)) await seedKeptEditions(queryClient, services)
  else await Promise.race([Promise.all([memos, fonts]), pause(maxWaitMs)])
  await router.load()
}

/** Loads the web fonts, so that the first screen is drawn with them where the connection is fast. */
async function loadFonts(): Promise<void> {
  const style = getComputedStyle(document.documentElement)
  const fonts = ['--serif', '--sans'].map((families) => {
    // Those that follow have the characters that the first one hasn't.
    const [first] = style.getPropertyValue(families).split(',')
    return `1rem ${first}`
  })
  await Promise.all(fonts.map((font) => document.fonts.load(font))).catch(() => undefined)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
