import { maskAddress } from '#platform/mask-address.ts'
import type { Mail } from '../mailer.ts'
import type { Letter } from './letter.ts'
import { factsOf, formatDay } from './letter-facts.ts'
import { refundParts } from './payment-letters.ts'

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

export function accountExpiringLetter(mail: NoticeMail<'account-expiring'>): Letter {
  const { appName, removedAt, timeZone, loginUrl } = mail
  return {
    subject: `Your ${appName} account will be removed`,
    preview: 'Log in to keep it.',
    title: 'Do you want to keep your account?',
    parts: [
      {
        kind: 'text',
        text:
          `You signed up to ${appName} with this address, but never verified it, and haven’t used the account since. ` +
          'So we’ll remove it:',
      },
      ...factsOf({ 'Removed after': formatDay(removedAt, timeZone) }),
      { kind: 'text', text: 'To keep it, log in once before then. Without a password, log in by a code.' },
      { kind: 'button', label: 'Log in', url: loginUrl },
    ],
    aside: 'You did not sign up? Then there is nothing to do. The account goes away by itself.',
  }
}

export function addressProvedLetter(mail: NoticeMail<'address-proved'>): Letter {
  const { appName, password, providerNames, sessionsEnded, accountUrl } = mail
  return {
    subject: `We secured your ${appName} account`,
    preview: 'Your address is verified. What was set up before it is removed.',
    title: 'Your account is secured',
    parts: [
      {
        kind: 'text',
        text:
          `This address is now verified as yours. Until now, someone else could have used it at ${appName}. ` +
          'To be safe, we removed the ways to log in that were set up before:',
      },
      ...factsOf({
        Password: password,
        'Connected accounts': providerNames.join(', '),
        Devices: sessionsEnded === 0 ? null : `${sessionsEnded} logged out`,
      }),
      {
        kind: 'text',
        text: 'Did you set them up yourself? Set them up again in your account. Please also check your details there.',
      },
      { kind: 'button', label: 'Open your account', url: accountUrl },
    ],
    aside: 'You did not do this? Change the password of your mailbox first. Then log in here by a code.',
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

export function accountDeletedLetter(mail: NoticeMail<'account-deleted'>): Letter {
  const { appName, planName, refunds, contact } = mail
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
      ...refundParts(refunds),
      ...(planName === null || refunds.length > 0
        ? []
        : [{ kind: 'text', text: 'What you paid before is not refunded.' } as const]),
      { kind: 'text', text: `Was it not you? Then write to us at once at ${contact}.` },
      { kind: 'button', label: 'Write to us', url: `mailto:${contact}` },
    ],
    aside: 'It was you? Then there is nothing to do.',
  }
}
