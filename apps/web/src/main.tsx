import './lib/zod-config.ts'
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.tsx'
import { createBrowserServices } from './lib/services.tsx'

const { App, router } = createApp(createBrowserServices())

// Until the first screen is ready, the shell's own masthead stays.
void router.load().finally(() => {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no element with the id root')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
