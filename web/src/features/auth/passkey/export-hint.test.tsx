import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { setLanguage } from '@/i18n'
import { passkeyTexts } from '../texts'
import { passkey as t } from '../texts/en'
import { WalletError } from '../wallets/wallet'
import ExportHint from './export-hint'
import { isExportHintDismissed } from './export-memory'
import * as wallet from './wallet'

const hint = () => screen.queryByRole('region', { name: t.hint.title, hidden: true })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

beforeEach(async () => {
  await setLanguage('en')
  await passkeyTexts.load()
  await import('@/components/ui/dialog-parts')
})

/** Opens the dialog of the hint and verifies there. */
async function startExport(): Promise<void> {
  render(<ExportHint address="ann" valueCents={100_00} />)
  await press(t.export.button)
  await screen.findByRole('dialog', { name: t.export.title })
  await press(t.export.confirm)
}

test('stays after a canceled export', async () => {
  vi.spyOn(wallet, 'exportWallet').mockRejectedValue(new WalletError('passkey-cancelled'))
  await startExport()
  await screen.findByRole('alert')
  await press(t.cancel)
  expect(hint()).toBeInTheDocument()
  expect(isExportHintDismissed('ann')).toBe(false)
})

test('goes away for good once the key was shown', async () => {
  vi.spyOn(wallet, 'exportWallet').mockResolvedValue('secret key')
  await startExport()
  await screen.findByText('secret key')
  await press(t.export.done)
  expect(hint()).not.toBeInTheDocument()
  expect(isExportHintDismissed('ann')).toBe(true)
})

test('goes away for good if the owner wants so', async () => {
  render(<ExportHint address="ann" valueCents={100_00} />)
  await press(t.hint.dismiss)
  expect(hint()).not.toBeInTheDocument()
  expect(isExportHintDismissed('ann')).toBe(true)
})
