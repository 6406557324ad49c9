/* Constant tables: rolls, pairings, and the options of a roll when all three runners are on the board. */
#include "cantstop.h"
#include <string.h>

RollOf ROLLS[126];
int PAIR_LOW[66], PAIR_HIGH[66], PAIRING[COLUMNS][COLUMNS], PAIR_OFFERED[66], TRIPLE[COLUMNS][COLUMNS][COLUMNS];
Three THREE[2][165][8];
static uint8_t ROLL_OF_DICE[1296];

static const int MOVE_OF_TWO[3][3] = {{6, 3, 4}, {3, 7, 5}, {4, 5, 8}}; /* moves: a b c ab ac bc aa bb cc */

static void three(int strict, const int *columns, int alive, Three *out)
{
    int weight_of[512] = {0};
    for (int r = 0; r < 126; r++) {
        int set = 0, two = 0;
        for (int k = 0; k < ROLLS[r].pairings; k++) {
            int low = -1, high = -1;
            for (int i = 0; i < 3; i++)
                if (alive >> i & 1) {
                    if (columns[i] == PAIR_LOW[ROLLS[r].pairing[k]]) low = i;
                    if (columns[i] == PAIR_HIGH[ROLLS[r].pairing[k]]) high = i;
                }
            if (low < 0 && high < 0) continue;
            int move = low < 0 ? high : high < 0 ? low : MOVE_OF_TWO[low][high];
            set |= 1 << move;
            two |= move >= 3 && move < 6;
        }
        if (strict && two) set &= 0070; /* as many different runners as any would */
        weight_of[set] += ROLLS[r].weight;
    }
    memset(out, 0, sizeof *out);
    out->bust = weight_of[0];
    for (int set = 1; set < 512; set++) {
        if (!weight_of[set]) continue;
        int n = 0, at = out->sets++;
        for (int move = 0; move < 9; move++)
            if (set >> move & 1) {
                out->move[n++][at / 16][at % 16] = move;
                out->offered[move] += weight_of[set];
            }
        for (; n < 3; n++) out->move[n][at / 16][at % 16] = out->move[0][at / 16][at % 16];
        out->weight[at / 16][at % 16] = (float)weight_of[set];
    }
}

void tables(void)
{
    int n = 0;
    if (ROLLS[0].weight) return;
    for (int low = 0; low < COLUMNS; low++)
        for (int high = low; high < COLUMNS; high++) {
            PAIR_LOW[n] = low, PAIR_HIGH[n] = high;
            PAIRING[low][high] = PAIRING[high][low] = n++;
        }
    n = 0;
    uint8_t index[7][7][7][7];
    for (int a = 1; a <= 6; a++)
        for (int b = a; b <= 6; b++)
            for (int c = b; c <= 6; c++)
                for (int d = c; d <= 6; d++) {
                    int way[3] = {PAIRING[a + b - 2][c + d - 2], PAIRING[a + c - 2][b + d - 2], PAIRING[a + d - 2][b + c - 2]};
                    RollOf *roll = &ROLLS[n];
                    for (int k = 0; k < 3; k++) {
                        int seen = 0;
                        for (int j = 0; j < roll->pairings; j++) seen |= roll->pairing[j] == way[k];
                        if (!seen) roll->pairing[roll->pairings++] = way[k];
                    }
                    index[a][b][c][d] = n++;
                }
    for (int i = 0; i < 1296; i++) {
        int d[4] = {i % 6 + 1, i / 6 % 6 + 1, i / 36 % 6 + 1, i / 216 + 1};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3 - j; k++)
                if (d[k] > d[k + 1]) { int t = d[k]; d[k] = d[k + 1], d[k + 1] = t; }
        ROLL_OF_DICE[i] = index[d[0]][d[1]][d[2]][d[3]];
        ROLLS[ROLL_OF_DICE[i]].weight++;
    }
    for (int r = 0; r < 126; r++)
        for (int k = 0; k < ROLLS[r].pairings; k++) PAIR_OFFERED[ROLLS[r].pairing[k]] += ROLLS[r].weight;
    n = 0;
    for (int a = 0; a < COLUMNS; a++)
        for (int b = a + 1; b < COLUMNS; b++)
            for (int c = b + 1; c < COLUMNS; c++) {
                int columns[3] = {a, b, c};
                TRIPLE[a][b][c] = n;
                for (int strict = 0; strict < 2; strict++)
                    for (int alive = 0; alive < 8; alive++) three(strict, columns, alive, &THREE[strict][n][alive]);
                n++;
            }
}

static uint64_t next(uint64_t *seed) /* splitmix64 */
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t dice(uint64_t *seed) { return ROLL_OF_DICE[(next(seed) >> 32) * 1296 >> 32]; }

double chance(uint64_t *seed) { return (next(seed) >> 11) * 0x1p-53; }

int owner(const Board *board, int column)
{
    for (int player = 0; player < SEATS; player++)
        if (board->marker[player][column] == TOP[column]) return player;
    return -1;
}

int won(const Board *board, int player)
{
    int n = 0;
    for (int column = 0; column < COLUMNS; column++) n += board->marker[player][column] == TOP[column];
    return n;
}
