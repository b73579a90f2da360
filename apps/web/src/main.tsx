import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApp } from './app.tsx'
import { browserSurroundings } from './lib/surroundings.tsx'
import './styles/index.css'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')

const { App } = createApp(browserSurroundings())
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
