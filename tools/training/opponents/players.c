/* The players: the references from the literature, and the trained player; and matches between them. */
#include "cantstop.h"
#include <math.h>

typedef struct { int points[COLUMNS], choice[COLUMNS], odd, even, high, low, threshold; } Weights;

static const Weights REFERENCE[] = {
    {{0}, {0}, 0, 0, 0, 0, 0},
    {{6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6}, 2, -2, 4, 4, 28}, /* Rule of 28, outer */
    {{6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1}, 2, -2, 4, 4, 28}, /* Rule of 28, inner */
    {{7, 7, 3, 2, 2, 1, 2, 2, 3, 7, 7}, {7, 0, 2, 0, 4, 3, 4, 0, 2, 0, 7}, 7, 1, 6, 5, 29},  /* Glenn and Aloi */
};

static int gains(const Turn *t, const int *points, const Board *b, const Runners *r)
{
    int total = 0;
    for (int k = 0; k < r->n; k++)
        total += (turn_space(t, r->column[k], r->step[k]) - b->marker[b->turn][r->column[k]] + 1) * points[r->column[k]];
    return total;
}

static int penalty(const Weights *w, const Runners *r)
{
    int odd = 1, even = 1, high = 1, low = 1;
    if (r->n < 3) return 0;
    for (int k = 0; k < 3; k++) {
        int c = r->column[k] + 2;
        odd &= c % 2, even &= 1 - c % 2, high &= c >= 7, low &= c <= 7;
    }
    return odd * w->odd + even * w->even + high * w->high + low * w->low;
}

static int barred(const Turn *t, const Rules *rules, const Board *b, const Runners *r)
{
    for (int k = 0; rules->no_stop_on_marker && k < r->n; k++)
        for (int p = 0; p < rules->players; p++)
            if (p != b->turn && b->marker[p][r->column[k]] == turn_space(t, r->column[k], r->step[k])) return 1;
    return 0;
}

static int tops(const Turn *t, const Runners *r)
{
    int n = 0;
    for (int k = 0; k < r->n; k++) n += r->step[k] == turn_steps(t, r->column[k]);
    return n;
}

/* Between equal plays a lot decides, as in engine/opponents/rule_of_28.py. */
static uint32_t lot(const Turn *t, const Board *b, const Runners *r)
{
    uint64_t number = 0;
    for (int c = 0; c < COLUMNS; c++) {
        int step = step_of(r, c);
        number = number * 31 + 14 * b->marker[b->turn][c] + (step ? turn_space(t, c, step) : 0);
    }
    return number * 0x9E3779B97F4A7C15 >> 32;
}

/* Both play one turn, after which it is the next player's; they return the winner's number plus 1, or 0. */
int reference_turn(Turn *t, int kind, const Rules *rules, Board *b, uint64_t *seed)
{
    const Weights *w = &REFERENCE[kind];
    Runners r = {0}, out[6];
    int player = b->turn, needed = rules->columns_to_win - won(b, player);
    for (;;) {
        int n = turn_options(t, &r, dice(seed), out), best = 0;
        int64_t most = INT64_MIN;
        if (!n) break;
        for (int i = 0; i < n; i++) {
            int64_t s = gains(t, w->choice, b, &out[i]) - penalty(w, &out[i]) - 6 * out[i].n;
            s = s * (1LL << 32) + lot(t, b, &out[i]);
            if (s > most) most = s, best = i;
        }
        r = out[best];
        if (barred(t, rules, b, &r)) continue;
        if (tops(t, &r) >= needed) { turn_stop(t, &r, b); return player + 1; }
        int free_column = 0;
        for (int c = 0; c < COLUMNS; c++) {
            int taken = 0;
            for (int k = 0; k < r.n; k++) taken |= r.column[k] == c;
            free_column |= (turn_usable(t) >> c & 1) && !taken;
        }
        if (r.n < 3 && free_column) continue;
        if (gains(t, w->points, b, &r) + penalty(w, &r) >= w->threshold) { turn_stop(t, &r, b); break; }
    }
    b->turn = (player + 1) % rules->players;
    return 0;
}

/* The turn of the learned player: after each roll, the choices are solved for their values. Both `t` and `spare` have
 * begun with this board. `first`, if not null, receives the value of the turn after its first roll. */
int learned_turn(Turn *t, Turn *spare, const Player *p, const Rules *rules, Board *b, uint64_t *seed, float *first)
{
    Runners r = {0}, out[6];
    int player = b->turn, needed = rules->columns_to_win - won(b, player), solved = 0;
    for (;;) {
        int n = turn_options(t, &r, dice(seed), out), stops = 0;
        float most = -1e30f;
        for (int i = 0; i < n; i++) solved &= turn_sure(t, &out[i]);
        for (int i = 0; i < n; i++) {
            Turn *in = solved ? t : spare;
            float stop = turn_stop_value(in, &out[i]), value;
            int top = tops(in, &out[i]) >= needed;
            value = solved ? turn_value(t, &out[i]) : top ? stop : fmaxf(stop, turn_solve(in, &out[i], p->least));
            if (value <= most) continue;
            most = value, r = out[i], stops = stop >= value;
            if (!solved) spare = t, t = in;
        }
        if (first) *first = n ? most : turn_bust(t), first = 0;
        if (!n) break;
        solved = 1;
        if (!stops) continue;
        turn_stop(t, &r, b);
        if (tops(t, &r) >= needed) return player + 1;
        break;
    }
    b->turn = (player + 1) % rules->players;
    return 0;
}

/* Play games with rotating seats. For each: the number of the player who wins, and the turns which that player took. */
void match(const Rules *rules, const Player *players, int games, uint64_t seed, int *winners, int *turns)
{
    Turn *t = turn_new(), *spare = turn_new();
    for (int g = 0; g < games; g++) {
        Board b = {0};
        int over = 0, n = rules->players, ended[SEATS] = {0};
        uint64_t s = seed + g;
        while (!over) {
            int seat = b.turn;
            const Player *p = &players[winners[g] = (seat + g) % n];
            turn_begin(t, rules, p->kind == LEARNED ? p->net : 0, &b);
            if (p->kind == LEARNED) turn_begin(spare, rules, p->net, &b);
            over = p->kind == LEARNED ? learned_turn(t, spare, p, rules, &b, &s, 0) : reference_turn(t, p->kind, rules, &b, &s);
            turns[g] = ++ended[seat];
        }
    }
    turn_free(t), turn_free(spare);
}
