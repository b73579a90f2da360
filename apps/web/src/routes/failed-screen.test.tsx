import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ChunkLoadError } from '../lib/chunk.ts'
import { browserSurroundings, SurroundingsProvider } from '../lib/surroundings.tsx'
import { FailedScreen } from './failed-screen.tsx'

function renderFailure(error: Error) {
  const reloadPage = vi.fn<() => void>()
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <FailedScreen error={error} /> }),
    history: createMemoryHistory(),
  })
  render(
    <SurroundingsProvider value={{ ...browserSurroundings(), reloadPage }}>
      <RouterProvider<never> router={router} />
    </SurroundingsProvider>,
  )
  return reloadPage
}

describe('a screen whose code did not arrive', () => {
  it('says so and offers to reload the page', async () => {
    const reloadPage = renderFailure(new ChunkLoadError())
    await screen.findByText('Loading chunk failed')
    await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }))
    expect(reloadPage).toHaveBeenCalledOnce()
  })
})

describe('a screen that could not be shown', () => {
  it('says so and offers to try again', async () => {
    renderFailure(new Error('Something broke'))
    await screen.findByText('This page could not be shown.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
  })
})
