import './lib/zod-config.ts'
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.tsx'
import { createBrowserServices } from './lib/services.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')

const { App } = createApp(createBrowserServices())
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
