import { useT } from '@/i18n'
import { saveAge } from '@/lib/age'
import { config } from '@/lib/config'
import { Button } from '@/components/ui/button'

/** Asks for the age that the house rules require, before the first sign-in. The server stores the answer, too. */
export function AgeQuestion({ onAnswer }: { onAnswer: () => void }) {
  const t = useT().identity.age
  const { minimumAge, guardianBelow } = config.rules
  const fullAge = Math.max(minimumAge, guardianBelow)
  const answer = (confirmedAge: number, guardianConsents: boolean) => () => {
    saveAge({ confirmedAge, guardianConsents })
    onAnswer()
  }
  return (
    <div className="space-y-3">
      <p className="text-sm">{t.question}</p>
      <Button className="w-full" onClick={answer(fullAge, false)}>
        {t.grown(fullAge)}
      </Button>
      {guardianBelow > minimumAge && (
        <Button variant="secondary" className="h-auto w-full py-2 whitespace-normal" onClick={answer(minimumAge, true)}>
          {t.guardian(minimumAge)}
        </Button>
      )}
    </div>
  )
}
