import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { inParagraph } from '#testing/in-paragraph.ts'
import { renderAccount } from '#testing/render-account.ts'

it('says that emails came back and has them sent again', async () => {
  const suppression = { kind: 'bounce', since: '2026-11-20T20:00:00.000Z' } as const
  const { user } = await renderAccount('/account/dashboard', { membership: { suppression } })

  expect(await screen.findByText(/because emails came back/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Send them again' }))
  expect(await screen.findByText(inParagraph(/We send editions to .* again/))).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Send them again' })).toBeNull()
})
