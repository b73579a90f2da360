/** The owner of the desk, for whom `start` prints an invitation. */
export const seedPerson = {
  email: 'owner@tidings.example',
  name: 'Olive Owner',
  roles: ['owner', 'editor'],
} as const
