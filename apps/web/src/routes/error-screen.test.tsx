import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { expectConsoleErrors } from '../testing/console-errors.ts'
import { renderApp } from '../testing/render-app.tsx'

vi.mock('../features/legal/legal-screen.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

describe('a screen whose code fails to load', () => {
  it('shows an error and offers to reload the page', async () => {
    const { services } = await renderApp({ path: '/footer' })
    await screen.findByText('Loading chunk failed')
    expectConsoleErrors(/ChunkLoadError|route match/)
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
    expect(services.reloadPage).toHaveBeenCalledOnce()
  })
})
