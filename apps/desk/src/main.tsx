import '@tidings/ui/styles/fonts.css'
import '@tidings/ui/styles/tokens.css'
import './styles/desk.css'
import './styles/controls.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createDesk } from './app.tsx'
import { readDeskConfig } from './lib/desk-config.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')
const Desk = createDesk(readDeskConfig(document))
createRoot(root).render(
  <StrictMode>
    <Desk />
  </StrictMode>,
)
