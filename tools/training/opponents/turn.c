/* Solves a turn by dynamic programming: the best plays and stops, given the value of each way to end it.
 *
 * A node is a set of runners with their steps in this turn. Nodes that are reached less often than `least` are not
 * examined further: their value is that of a stop. least = 0 is the exact solution.
 */
#include "cantstop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 71000, FEW = 3300, STOP_KNOWN = 1, OPEN = 4 };
static const float NEVER = -1e9f;

typedef struct { int to[66][2]; uint8_t rank[66]; } Few; /* what pairings do while a runner is free */
typedef struct { Runners at; int next, few; } Node;

struct Turn {
    Rules rules;
    const Net *net;
    Board board;
    int usable, needed, viewer, head, steps[COLUMNS];
    uint8_t space[COLUMNS][SPACES], barred[COLUMNS][SPACES];
    float base[HIDDEN] __attribute__((aligned(64))), change[COLUMNS][SPACES][HIDDEN] __attribute__((aligned(64)));
    float bust, rolled;
    int one[COLUMNS], two[COLUMNS][COLUMNS], three[165];
    float stop[NODES], value[NODES], reach[NODES];
    uint8_t state[NODES];
    Node node[FEW]; /* those with a free runner, by the sum of steps */
    Few few[FEW];
    int nodes, fews, by_total[64], touched[165], touches;
    uint8_t touch[165];
};

Turn *turn_new(void)
{
    void *turn = aligned_alloc(64, (sizeof(Turn) + 63) / 64 * 64);
    memset(turn, 0, sizeof(Turn));
    tables();
    return turn;
}

void turn_free(Turn *turn) { free(turn); }
int turn_usable(const Turn *t) { return t->usable; }
int turn_space(const Turn *t, int column, int step) { return t->space[column][step]; }
int turn_steps(const Turn *t, int column) { return t->steps[column]; }

static void ladder(Turn *t, int column) /* the spaces that a runner can reach here */
{
    const Board *b = &t->board;
    int at = b->marker[b->turn][column], n = 0;
    while (at < TOP[column]) {
        int taken;
        at++;
        do {
            taken = 0;
            for (int p = 0; p < t->rules.players; p++) taken |= p != b->turn && b->marker[p][column] == at;
            at += t->rules.leap && taken;
        } while (t->rules.leap && taken);
        n++;
        t->space[column][n] = at;
        t->barred[column][n] = t->rules.no_stop_on_marker && taken;
    }
    t->steps[column] = n;
}

static void changes(Turn *t, int column) /* of the network's sum, by the step on which a stop leaves the marker */
{
    int rows[SEATS], players = t->rules.players, others = players == 1 ? 1 : players - 1;
    Board b = t->board;
    features_of(&b, players, column, t->viewer, rows);
    for (int step = 1; step <= t->steps[column]; step++) {
        int now[SEATS];
        if (t->space[column][step] == TOP[column])
            for (int p = 0; p < players; p++) b.marker[p][column] = 0;
        b.marker[b.turn][column] = t->space[column][step];
        features_of(&b, players, column, t->viewer, now);
        float *change = t->change[column][step];
        memset(change, 0, HIDDEN * sizeof *change);
        for (int k = 0; k < others; k++) {
            if (now[k] == rows[k]) continue;
            const float *new = w_rows(t->net) + now[k] * HIDDEN, *old = w_rows(t->net) + rows[k] * HIDDEN;
            for (int i = 0; i < HIDDEN; i++) change[i] += new[i] - old[i];
        }
    }
}

static float worth(const Turn *t, const float *sum)
{
    float value = net_value(t->net, sum, t->head);
    return t->rules.players == 1 ? -fmaxf(value, 1) : t->rules.players == 2 ? 1 - value : value;
}

void turn_begin(Turn *t, const Rules *rules, const Net *net, const Board *board)
{
    int at = 1;
    t->nodes = 0;
    t->rules = *rules, t->net = net, t->board = *board;
    t->viewer = (board->turn + 1) % rules->players;
    t->head = rules->players <= 2 ? 0 : rules->players - 1;
    t->needed = rules->columns_to_win - won(board, board->turn);
    t->usable = 0;
    for (int c = 0; c < COLUMNS; c++)
        if (owner(board, c) < 0) {
            t->usable |= 1 << c;
            ladder(t, c);
            if (net) changes(t, c);
        } else
            t->steps[c] = 0;
    for (int a = 0; a < COLUMNS; a++) {
        t->one[a] = at, at += t->steps[a];
        for (int b = a + 1; b < COLUMNS; b++) t->two[a][b] = at, at += t->steps[a] * t->steps[b];
    }
    for (int a = 0; a < COLUMNS; a++)
        for (int b = a + 1; b < COLUMNS; b++)
            for (int c = b + 1; c < COLUMNS; c++)
                t->three[TRIPLE[a][b][c]] = at, at += t->steps[a] * t->steps[b] * t->steps[c];
    memset(t->state, 0, at);
    memset(t->reach, 0, at * sizeof *t->reach);
    memset(t->touch, 0, sizeof t->touch);
    t->touches = 0;
    if (!net) return;
    net_sum(net, board, rules->players, t->viewer, t->base);
    t->bust = worth(t, t->base);
}

static inline int index_of(const Turn *t, const Runners *r)
{
    const int8_t *c = r->column, *k = r->step;
    if (r->n == 3)
        return t->three[TRIPLE[c[0]][c[1]][c[2]]] + ((k[0] - 1) * t->steps[c[1]] + k[1] - 1) * t->steps[c[2]] + k[2] - 1;
    if (r->n == 2) return t->two[c[0]][c[1]] + (k[0] - 1) * t->steps[c[1]] + k[1] - 1;
    return r->n ? t->one[c[0]] + k[0] - 1 : 0;
}

static inline Runners stepped(const Runners *at, int column)
{
    Runners r = *at;
    r.total++;
    for (int i = 0; i < r.n; i++)
        if (r.column[i] == column) { r.step[i]++; return r; }
    int i = r.n++;
    for (; i > 0 && r.column[i - 1] > column; i--) r.column[i] = r.column[i - 1], r.step[i] = r.step[i - 1];
    r.column[i] = column, r.step[i] = 1;
    return r;
}

/* The results of a pairing: none, one or two; `rank` is the order in the variant fast start. */
static int pairing_options(const Turn *t, const Runners *at, int pairing, Runners out[2], int *rank)
{
    int low = PAIR_LOW[pairing], high = PAIR_HIGH[pairing], free = 3 - at->n;
    int has_low = step_of(at, low), has_high = step_of(at, high);
    int low_goes = (t->usable >> low & 1) && has_low < t->steps[low] && (has_low || free);
    int high_goes = (t->usable >> high & 1) && has_high < t->steps[high] && (has_high || free);
    int brings, moves = 1, n = 1;
    if (!low_goes && !high_goes) return 0;
    if (low == high) {
        brings = !has_low;
        out[0] = stepped(at, low);
        if (has_low + 1 < t->steps[low]) out[0] = stepped(&out[0], low);
    } else if (low_goes && high_goes) {
        brings = !has_low + !has_high;
        if (brings > free) {
            brings = 1, n = 2;
            out[0] = stepped(at, low), out[1] = stepped(at, high);
        } else {
            moves = 2;
            out[0] = stepped(at, low), out[0] = stepped(&out[0], high);
        }
    } else {
        brings = low_goes ? !has_low : !has_high;
        out[0] = stepped(at, low_goes ? low : high);
    }
    *rank = !t->rules.fast_start ? 1 : t->rules.fast_start == 1 ? 1 + brings : 1 + 4 * brings + moves;
    return n;
}

int turn_options(Turn *t, const Runners *at, int roll, Runners *out)
{
    int best = 0, n = 0;
    for (int k = ROLLS[roll].pairings - 1; k >= 0; k--) { /* those whose sums lie closest together first */
        Runners found[2];
        int rank, m = pairing_options(t, at, ROLLS[roll].pairing[k], found, &rank);
        if (!m || rank < best) continue;
        if (rank > best) best = rank, n = 0;
        for (int i = 0; i < m; i++) out[n] = found[i], out[n].index = index_of(t, &found[i]), n++;
    }
    return n;
}

static float stop_value(Turn *t, const Runners *r)
{
    int i = r->index, tops = 0;
    if (t->state[i] & STOP_KNOWN) return t->stop[i];
    t->state[i] |= STOP_KNOWN;
    for (int k = 0; k < r->n; k++) {
        if (t->barred[r->column[k]][r->step[k]]) return t->stop[i] = NEVER;
        tops += r->step[k] == t->steps[r->column[k]];
    }
    if (!r->n) return t->stop[i] = NEVER;
    if (tops >= t->needed) return t->stop[i] = t->rules.players == 1 ? 0 : 1;
    float sum[HIDDEN] __attribute__((aligned(64)));
    const float *a = t->change[r->column[0]][r->step[0]];
    if (r->n == 1)
        for (int j = 0; j < HIDDEN; j++) sum[j] = t->base[j] + a[j];
    else {
        const float *b = t->change[r->column[1]][r->step[1]];
        if (r->n == 2)
            for (int j = 0; j < HIDDEN; j++) sum[j] = t->base[j] + a[j] + b[j];
        else {
            const float *c = t->change[r->column[2]][r->step[2]];
            for (int j = 0; j < HIDDEN; j++) sum[j] = t->base[j] + a[j] + b[j] + c[j];
        }
    }
    return t->stop[i] = worth(t, sum);
}

Runners turn_placed(const Turn *t, Runners at)
{
    at.index = index_of(t, &at);
    return at;
}

float turn_stop_value(Turn *t, const Runners *at) { return stop_value(t, at); }
float turn_value(Turn *t, const Runners *at) { return t->value[at->index]; }
int turn_sure(const Turn *t, const Runners *at) { return (t->state[at->index] & OPEN) != 0; }

/* Something leads to this node. The value of a stop there is its first value. */
static inline void meet(Turn *t, const Runners *r, float reach)
{
    int i = r->index;
    if (t->reach[i] == 0) {
        t->value[i] = fmaxf(stop_value(t, r), t->bust);
        if (r->n < 3) {
            t->node[t->nodes] = (Node){*r, t->by_total[r->total], -1};
            t->by_total[r->total] = t->nodes++;
        } else {
            int triple = TRIPLE[r->column[0]][r->column[1]][r->column[2]];
            if (!t->touch[triple]) t->touch[triple] = 1, t->touched[t->touches++] = r->column[0] << 8 | r->column[1] << 4 | r->column[2];
        }
    }
    t->reach[i] += reach;
}

static inline const Three *moves_of(const Turn *t, const Runners *r, const int by[3], int to[16])
{
    const int8_t *c = r->column, *k = r->step;
    int left[3], alive = 0;
    for (int i = 0; i < 3; i++) left[i] = t->steps[c[i]] - k[i], alive |= (left[i] > 0) << i;
    for (int i = 0; i < 3; i++) to[i] = r->index + by[i], to[6 + i] = r->index + (left[i] > 1 ? 2 : 1) * by[i];
    to[3] = r->index + by[0] + by[1], to[4] = r->index + by[0] + by[2], to[5] = r->index + by[1] + by[2];
    return &THREE[t->rules.fast_start == 2][TRIPLE[c[0]][c[1]][c[2]]][alive];
}

static inline v16 larger(v16 a, v16 b)
{
    whole16 which = a > b;
    return (v16)(((whole16)a & which) | ((whole16)b & ~which));
}

static inline float expected(const Turn *t, const Three *three, const int to[16])
{
    v16 w = {0}, total = {0};
    float sum = three->bust * t->bust;
    for (int m = 0; m < 9; m++) w[m] = t->value[to[m]]; /* where a move is not offered, a number that is not used */
    for (int s = 0; s * 16 < three->sets; s++) {
        v16 a = __builtin_shuffle(w, three->move[0][s]), b = __builtin_shuffle(w, three->move[1][s]);
        v16 c = __builtin_shuffle(w, three->move[2][s]);
        total += three->weight[s] * larger(a, larger(b, c));
    }
    for (int i = 0; i < 16; i++) sum += total[i];
    return sum / 1296;
}

static void open_three(Turn *t, const Runners *r, const int by[3])
{
    static const int MOVED[9][2] = {{0, -1}, {1, -1}, {2, -1}, {0, 1}, {0, 2}, {1, 2}, {0, 0}, {1, 1}, {2, 2}};
    int to[16];
    float reach = t->reach[r->index] / 1296;
    const Three *three = moves_of(t, r, by, to);
    t->state[r->index] |= OPEN;
    for (int m = 0; m < 9; m++) {
        if (!three->offered[m]) continue;
        if (t->reach[to[m]] == 0) {
            Runners next = *r;
            next.index = to[m];
            for (int i = 0; i < 2; i++) {
                int k = MOVED[m][i];
                if (k >= 0 && next.step[k] < t->steps[r->column[k]]) next.step[k]++;
            }
            t->value[to[m]] = fmaxf(stop_value(t, &next), t->bust);
        }
        t->reach[to[m]] += reach * three->offered[m];
    }
}

/* With three runners every move is within their columns: a sweep upwards examines the nodes, one downwards solves them. */
static void sweep(Turn *t, int columns, float least, int down, const Runners *root)
{
    Runners r = {.n = 3, .column = {columns >> 8, columns >> 4 & 15, columns & 15}};
    int L[3], by[3], first = t->three[TRIPLE[r.column[0]][r.column[1]][r.column[2]]];
    for (int i = 0; i < 3; i++) L[i] = t->steps[r.column[i]];
    by[0] = L[1] * L[2], by[1] = L[2], by[2] = 1;
    int cells = L[0] * by[0];
    for (int n = 0; n < cells; n++) {
        int cell = down ? cells - 1 - n : n;
        r.index = first + cell;
        if (t->reach[r.index] == 0) continue;
        if (down ? !(t->state[r.index] & OPEN) : t->reach[r.index] < least && r.index != root->index) continue;
        r.step[0] = cell / by[0] + 1, r.step[1] = cell % by[0] / by[1] + 1, r.step[2] = cell % by[1] + 1;
        if (!down) open_three(t, &r, by);
        else {
            int to[16];
            const Three *three = moves_of(t, &r, by, to);
            t->rolled = expected(t, three, to);
            t->value[r.index] = fmaxf(fmaxf(t->stop[r.index], t->rolled), t->bust);
        }
    }
}

static void open_few(Turn *t, int n)
{
    Runners r = t->node[n].at;
    float reach = t->reach[r.index];
    Few *few = &t->few[t->fews];
    t->node[n].few = t->fews++;
    t->state[r.index] |= OPEN;
    for (int p = 0; p < 66; p++) {
        Runners out[2];
        int rank = 0, m = pairing_options(t, &r, p, out, &rank);
        few->rank[p] = m ? rank : 0;
        for (int i = 0; i < m; i++) {
            out[i].index = index_of(t, &out[i]);
            meet(t, &out[i], reach * PAIR_OFFERED[p] / 1296);
            few->to[p][i] = out[i].index;
        }
        if (m == 1) few->to[p][1] = few->to[p][0];
    }
}

static float roll_few(const Turn *t, const Few *few)
{
    float w[66], total = 0;
    for (int p = 0; p < 66; p++) w[p] = few->rank[p] ? fmaxf(t->value[few->to[p][0]], t->value[few->to[p][1]]) : NEVER;
    for (int r = 0; r < 126; r++) {
        float best = NEVER;
        int rank = 0;
        for (int k = 0; k < ROLLS[r].pairings; k++) {
            int p = ROLLS[r].pairing[k];
            if (few->rank[p] > rank) rank = few->rank[p], best = w[p];
            else if (few->rank[p] == rank && w[p] > best) best = w[p];
        }
        total += ROLLS[r].weight * (rank ? best : t->bust);
    }
    return total / 1296;
}

/* Solve all nodes; returns the value of rolling at the root. */
static float settle(Turn *t)
{
    for (int k = 0; k < t->touches; k++) sweep(t, t->touched[k], 0, 1, 0);
    for (int total = 63; total >= 0; total--)
        for (int n = t->by_total[total]; n >= 0; n = t->node[n].next) {
            const Runners *r = &t->node[n].at;
            if (!(t->state[r->index] & OPEN)) continue;
            t->rolled = roll_few(t, &t->few[t->node[n].few]);
            t->value[r->index] = fmaxf(stop_value(t, r), t->rolled);
        }
    return t->rolled; /* the root comes last */
}

float turn_bust(const Turn *t) { return t->bust; }

static void forget(Turn *t) /* all but what stops are worth */
{
    for (int n = 0; n < t->nodes; n++) t->state[t->node[n].at.index] &= STOP_KNOWN, t->reach[t->node[n].at.index] = 0;
    for (int k = 0; k < t->touches; k++) {
        int a = t->touched[k] >> 8, b = t->touched[k] >> 4 & 15, c = t->touched[k] & 15;
        int first = t->three[TRIPLE[a][b][c]], cells = t->steps[a] * t->steps[b] * t->steps[c];
        for (int i = first; i < first + cells; i++) t->state[i] &= STOP_KNOWN;
        memset(t->reach + first, 0, cells * sizeof *t->reach);
        t->touch[TRIPLE[a][b][c]] = 0;
    }
    t->nodes = t->fews = t->touches = 0;
    for (int total = 0; total < 64; total++) t->by_total[total] = -1;
}

float turn_solve(Turn *t, const Runners *root, float least)
{
    Runners r = *root;
    forget(t);
    r.index = index_of(t, &r);
    meet(t, &r, 1);
    for (int total = r.total; total < 64; total++)
        for (int n = t->by_total[total]; n >= 0; n = t->node[n].next)
            if (n == 0 || t->reach[t->node[n].at.index] >= least) open_few(t, n);
    for (int k = 0; k < t->touches; k++) sweep(t, t->touched[k], least, 0, &r);
    return settle(t);
}

void turn_stop(const Turn *t, const Runners *at, Board *board)
{
    for (int k = 0; k < at->n; k++) {
        int c = at->column[k], space = t->space[c][at->step[k]];
        if (space == TOP[c])
            for (int p = 0; p < SEATS; p++) board->marker[p][c] = 0;
        board->marker[board->turn][c] = space;
    }
}
