import { maskAddress } from '../../../platform/mask-address.ts'
import type { Mail } from '../mailer.ts'
import type { Letter } from './letter.ts'
import { factsOf } from './letter-facts.ts'

type NoticeMail<Kind extends Mail['kind']> = Extract<Mail, { kind: Kind }>

export function emailChangedLetter({ appName, newEmail, contact }: NoticeMail<'email-changed'>): Letter {
  return {
    subject: `The address of your ${appName} account was changed`,
    preview: 'Was it not you? Then write to us.',
    title: 'Your address was changed',
    parts: [
      {
        kind: 'text',
        text: `Your account at ${appName} now uses ${maskAddress(newEmail)}. Its mails go there from now on.`,
      },
      {
        kind: 'text',
        text: `Was it not you? Then write to us at once, from this address, at ${contact}. We will give the account back to you.`,
      },
      { kind: 'button', label: 'Write to us', url: `mailto:${contact}` },
    ],
    aside: 'It was you? Then there is nothing to do.',
  }
}

export function passwordChangedLetter({ appName, resetUrl }: NoticeMail<'password-changed'>): Letter {
  return {
    subject: `The password of your ${appName} account was changed`,
    preview: 'Was it not you? Then secure your account.',
    title: 'Your password was changed',
    parts: [
      {
        kind: 'text',
        text: `Your account at ${appName} has a new password. Every other device is logged out.`,
      },
      {
        kind: 'text',
        text: 'Was it not you? Then set a new one at once; it ends every login to the account.',
      },
      { kind: 'button', label: 'Set a new password', url: resetUrl },
    ],
    aside: 'It was you? Then there is nothing to do.',
  }
}

export function providerConnectedLetter(mail: NoticeMail<'provider-connected'>): Letter {
  const { appName, providerName, accountUrl } = mail
  return {
    subject: `${providerName} now logs you in to ${appName}`,
    preview: `Was it not you? Then disconnect ${providerName}.`,
    title: 'A new way to log in',
    parts: [
      {
        kind: 'text',
        text: `From now on you can log in to your account at ${appName} with ${providerName}.`,
      },
      {
        kind: 'text',
        text: `Was it not you? Then disconnect ${providerName} in your account and change your password at once.`,
      },
      { kind: 'button', label: 'Open your account', url: accountUrl },
    ],
    aside: 'It was you? Then there is nothing to do.',
  }
}

export function accountDeletedLetter({ appName, planName, contact }: NoticeMail<'account-deleted'>): Letter {
  return {
    subject: `Your ${appName} account was deleted`,
    preview: 'Was it not you? Then write to us.',
    title: 'Your account was deleted',
    parts: [
      {
        kind: 'text',
        text: `Your account at ${appName} is deleted, and everything in it. Thank you for having been with us.`,
      },
      ...(planName === null
        ? []
        : [
            { kind: 'text', text: 'Your plan ended with it, and nothing more is charged.' } as const,
            ...factsOf({ Plan: planName }),
          ]),
      { kind: 'text', text: `Was it not you? Then write to us at once at ${contact}.` },
      { kind: 'button', label: 'Write to us', url: `mailto:${contact}` },
    ],
    aside: 'It was you? Then there is nothing to do.',
  }
}
