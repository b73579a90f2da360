import { expect, it } from 'vitest'
import { createModals } from './index.ts'

it('rejects the profile of a visitor', async () => {
  const { openModal } = createModals({ getCurrentMember: async () => ({ data: null }) })
  await expect(openModal('PROFILE')).rejects.toThrow('Member not logged in')
})

it('resolves a dialog that is closed while it loads', async () => {
  const { openModal, hideModal } = createModals({})
  const result = openModal('LOGIN')
  hideModal()
  expect(await result).toEqual({ type: 'CLOSED', data: {} })
})
