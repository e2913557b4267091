import i18n from './i18n';

const DAY = 24 * 60 * 60 * 1000;

export function ago(date: Date, now: Date): string {
  const days = Math.floor((now.getTime() - date.getTime()) / DAY);
  return days < 1 ? i18n.t('dates.today') : i18n.t('dates.days_ago', { count: days });
}
