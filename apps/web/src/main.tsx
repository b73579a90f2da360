import './lib/zod-config.ts'
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.tsx'
import { wasGateOpen } from './features/gate/gate-status.ts'
import { seedKeptEditions } from './features/news/memos/kept-editions.ts'
import { exposeClient } from './lib/member-session/expose-client.ts'
import { createBrowserServices } from './lib/services.tsx'

const services = createBrowserServices()
const { App, router, queryClient } = createApp(services)
exposeClient(window, services.memberSession)

// The router follows redirects by itself only once it is rendered.
const unfollow = router.history.subscribe(() => void router.load())
// Until the first screen is ready, the shell's own masthead stays.
void showKept().finally(() => {
  unfollow()
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no element with the id root')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})

/** A shell from this device carries no lists: what is kept is shown while the network replies. */
async function showKept(): Promise<void> {
  if (services.start === null && wasGateOpen(services)) await seedKeptEditions(queryClient, services)
  await router.load()
}
