import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'session-ended': () => [401, 'Your session has ended. Sign in again.'],
  'origin-not-permitted': () => [403, 'Pages of this origin may not use the desk.'],
  'desk-header-missing': () => [403, 'Send the header X-Desk: 1 with every change.'],
  'proof-needed': (proof: 'passkey' | 'link') => [
    403,
    proof === 'passkey'
      ? 'Use your passkey once more to do this.'
      : 'Sign in once more with a new link by email to do this.',
    { details: { proof } },
  ],
  'passkey-refused': (cause?: unknown) => [403, 'This passkey wasn’t accepted. Try again.', { cause }],
  'passkeys-unavailable': () => [
    409,
    'Passkeys work only with HTTPS or on localhost. Sign in with a link by email.',
  ],
  'last-passkey': () => [409, 'This is your only passkey. Add another one first.'],
  'too-many-passkeys': (most: number) => [409, `You have ${most} passkeys. Remove one first.`],
  'passkey-not-found': () => [404, 'You have no such passkey.'],
  'session-not-found': () => [404, 'You have no such session.'],
  'invalid-email': () => [400, 'This isn’t an email address.'],
  'sign-in-link-ended': () => [410, 'This link has ended. Get a new one.'],
  'invitation-ended': (inviter: string | null) => [
    410,
    `This invitation has ended. Ask ${inviter ?? 'an owner of this site'} for a new one.`,
  ],
  'invitation-not-found': () => [404, 'There is no open invitation with this id.'],
  'person-not-found': () => [404, 'Nobody with this id works here.'],
  'role-missing': () => [403, 'This needs the role owner. Ask an owner of this site.'],
  'last-owner': () => [409, 'Make someone else owner first.'],
})
