import type { SettingDoc } from '../apps/api/src/config/setting.ts'

/** Settings that the launcher, the emulators and docker compose read; the API does not. */
export const otherSettings: readonly SettingDoc[] = [
  {
    name: 'SANDBOX',
    fallback: 'off',
    meaning:
      'on runs the emulators although NODE_ENV is production. The sandbox profile of docker compose sets it itself.',
  },
  {
    name: 'SANDBOX_PORT',
    fallback: '3001',
    meaning: 'The port of the emulators and of the inbox, which shows every email and text of the site.',
  },
  { name: 'SMTP_PORT', fallback: '0', meaning: 'The SMTP port of the inbox; 0 uses a free one.' },
  {
    name: 'BOUNCE_SMTP_HOST',
    fallback: '127.0.0.1',
    meaning:
      'The host of the worker to which the emulated mail server returns editions, at BOUNCE_SMTP_PORT.',
  },
  {
    name: 'IDENTITY_REDIRECT_ORIGINS',
    fallback: '',
    meaning:
      'Other origins, separated by commas, to which the sign-in emulators may redirect. Origins of this machine over http always may.',
  },
  {
    name: 'STRIPE_WEBHOOK_URL',
    fallback: '',
    meaning: 'Where the Stripe emulator sends its events. `start` sets it to the site.',
  },
  {
    name: 'TWILIO_CALLBACK_ORIGIN',
    fallback: '',
    meaning:
      'Where the Twilio emulator sends its callbacks. They are signed for SITE_URL, as those of Twilio. `start` sets it to the site.',
  },
  { name: 'WEB_PORT', fallback: '5173', meaning: 'The port of the dev server of `pnpm dev`.' },
  { name: 'EXAMPLES_PORT', fallback: '5174', meaning: "The port of the widget's examples, in `pnpm dev`." },
  { name: 'DESK_PORT', fallback: '5175', meaning: 'The port of the desk, in `pnpm dev`.' },
  {
    name: 'CHROMIUM_PATH',
    fallback: '',
    meaning:
      'A Chromium or Chrome for the tests. Default: an installed one, otherwise the one from the install.',
  },
  {
    name: 'COMPOSE_PROFILES',
    fallback: '',
    meaning:
      'docker compose only: caddy serves SITE_DOMAIN with HTTPS; sandbox adds the sample content and the emulators. Several are separated by commas.',
  },
  {
    name: 'COMPOSE_EMULATORS',
    fallback: '',
    meaning:
      'docker compose only: on connects the site to the emulators of the profile sandbox, for services that have no settings of their own.',
  },
  {
    name: 'SITE_DOMAIN',
    fallback: '',
    meaning:
      'docker compose only: the domain that the profile caddy serves, such as news.example.com. It also sets SITE_URL and TRUST_PROXY.',
  },
  {
    name: 'API_PORTS',
    fallback: '',
    meaning:
      'docker compose only: a range of ports, such as 3000-3009, for several API containers; PORT is for one.',
  },
  {
    name: 'API_PROCESSES',
    fallback: '1',
    meaning: 'docker compose only: the number of API containers. Several need API_PORTS.',
  },
  {
    name: 'POSTGRES_PASSWORD',
    fallback: '',
    meaning:
      'docker compose only: the password of its database, letters and digits. Make one with `openssl rand -hex 24`.',
  },
  {
    name: 'PROCESS_MEMORY',
    fallback: '2g',
    meaning:
      'docker compose only: the memory that the API, each worker and each command may use, and that of its database. A process that needs more is ended and starts again.',
  },
  { name: 'POSTGRES_MEMORY', fallback: '2g', meaning: '' },
  {
    name: 'BACKUP_FOLDER',
    fallback: '',
    meaning:
      'docker compose only: a folder of the machine, such as /srv/backups, that the processes see as /backups. The user with the id 1000 must be able to write to it. Default: a volume.',
  },
  {
    name: 'COMPOSE_DATABASE_URL',
    fallback: '',
    meaning:
      'docker compose only: a database elsewhere, instead of the service postgres. DATABASE_URL is not read, because a shell often exports that of a checkout.',
  },
  {
    name: 'LISTEN_ADDRESS',
    fallback: '127.0.0.1',
    meaning:
      'docker compose only: the address on which PORT and SANDBOX_PORT are opened. 0.0.0.0 opens them to the network.',
  },
]
