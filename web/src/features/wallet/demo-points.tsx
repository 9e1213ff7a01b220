import { useAddSandboxPoints } from '@/api/deposits'
import { useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { points } from '@/lib/format'
import { useSession } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { walletTexts } from './texts'

/** Free test points; only in the sandbox. */
export function DemoPoints({ amount }: { amount: number }) {
  const texts = useT()
  const t = walletTexts.useT().topup
  const { walletMismatch } = useSession()
  const deposit = useAddSandboxPoints({
    onDone: (_, added) => toast({ title: t.added, description: t.addedText(points(added.amount * 100)) }),
    onFailed: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  return (
    <div data-optional="test-points" className="mt-5 border-t pt-5">
      <Button
        variant="secondary"
        className="w-full"
        disabled={walletMismatch || deposit.isPending}
        onClick={() => deposit.mutate({ amount })}
      >
        {deposit.isPending && <Spinner />}
        <span>{deposit.isPending ? t.demoAdding : t.demo(points(amount * 100, 0))}</span>
      </Button>
    </div>
  )
}
