import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { expectComplaints } from '../testing/complaints.ts'
import { renderApp } from '../testing/render-app.tsx'

vi.mock('../features/legal/legal-screen.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

describe('a screen whose code does not arrive', () => {
  it('says so and offers to reload the page', async () => {
    const { surroundings } = await renderApp({ path: '/footer' })
    await screen.findByText('Loading chunk failed')
    expectComplaints(/ChunkLoadError|route match/)
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
    expect(surroundings.reloadPage).toHaveBeenCalledOnce()
  })
})
